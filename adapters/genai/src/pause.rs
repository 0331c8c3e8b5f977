//! Yields to other tasks while a server sends without end.

/// Lets other tasks and time limits run, however fast a server sends.
pub(crate) async fn pause() {
    let mut has_waited = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut has_waited, true) {
            return std::task::Poll::Ready(());
        }
        context.waker().wake_by_ref();
        std::task::Poll::Pending
    })
    .await;
}
