//! What answers a method at an address; for several, routes are merged. Axum puts each handler into
//! a dozen types of its own, which were a fifth of what it took to compile this crate. Boxed first,
//! all handlers are one type. Their futures are boxed as before: a request pays for one call more.

use std::pin::Pin;
use std::sync::Arc;

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;
use axum::routing::{self, MethodRouter};

type Answer = Pin<Box<dyn Future<Output = Response> + Send>>;

/// Any handler of routers with this state.
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
    Boxed(Arc::new(move |request, state| {
        handler.clone().call(request, state)
    }))
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
