//! Boxed route handlers, for compile time; routes of several methods are merged. Axum puts each
//! handler into a dozen types of its own, a fifth of the compile time of all our code. Boxed, they
//! are one type. Their futures were boxed already: a request costs one more call.

use std::pin::Pin;
use std::sync::Arc;

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;
use axum::routing::{self, MethodRouter};

type Answer = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A boxed handler for routers with this state.
struct Boxed<S>(Arc<dyn Fn(Request, S) -> Answer + Send + Sync>);

impl<S> Clone for Boxed<S> {
    fn clone(&self) -> Boxed<S> {
        Boxed(Arc::clone(&self.0))
    }
}

impl<S: 'static> Handler<(), S> for Boxed<S> {
    type Future = Answer;

    fn call(self, request: Request, state: S) -> Answer {
        (self.0)(request, state)
    }
}

fn boxed<H, T, S>(handler: H) -> Boxed<S>
where
    H: Handler<T, S, Future = Answer>,
{
    Boxed(Arc::new(move |request, state| handler.clone().call(request, state)))
}

macro_rules! methods {
    ($($name:ident: $answers:literal;)*) => {$(
        #[doc = $answers]
        pub fn $name<H, T, S>(handler: H) -> MethodRouter<S>
        where
            H: Handler<T, S, Future = Answer>,
            S: Clone + Send + Sync + 'static,
        {
            routing::$name(boxed(handler))
        }
    )*};
}

methods! {
    delete: "Answers `DELETE`.";
    get: "Answers `GET`, and `HEAD` without the body.";
    patch: "Answers `PATCH`.";
    post: "Answers `POST`.";
    put: "Answers `PUT`.";
}
