//! Doing something for many at once, and not for too many.

use tokio::task::JoinSet;

/// Acts for each of these, so many at a time. One that panics holds up no other.
pub async fn each<T, F>(items: impl IntoIterator<Item = T>, at_once: usize, act: impl Fn(T) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let mut going = JoinSet::new();
    for item in items {
        if going.len() >= at_once {
            going.join_next().await;
        }
        going.spawn(act(item));
    }
    while going.join_next().await.is_some() {}
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use super::*;

    #[tokio::test]
    async fn all_are_done_and_no_more_at_once_than_may_be() {
        let [now, most, done] = [(); 3].map(|()| Arc::new(AtomicUsize::new(0)));
        let act = |item: usize| {
            let (now, most, done) = (now.clone(), most.clone(), done.clone());
            async move {
                most.fetch_max(now.fetch_add(1, SeqCst) + 1, SeqCst);
                tokio::task::yield_now().await;
                now.fetch_sub(1, SeqCst);
                assert_ne!(item, 3, "one of them dies");
                done.fetch_add(1, SeqCst);
            }
        };
        each(0..20, 4, act).await;
        assert_eq!((most.load(SeqCst), done.load(SeqCst)), (4, 19));
    }
}
