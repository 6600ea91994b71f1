//! Failures of a renderer.

/// The reason why a page was not rendered: the response is then the shell with the page JSON, and
/// the browser renders. The texts contain no page data; a JavaScript error is only logged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    #[error("too many pages are waiting for an engine")]
    QueueFull,
    #[error("the page JSON is larger than an engine is given")]
    PropsTooLarge,
    #[error("rendering took longer than its deadline")]
    Deadline,
    #[error("the bundle threw")]
    Threw(String),
    #[error("rendering needed more memory than an engine has")]
    OutOfMemory,
    #[error("no engine is there to render")]
    EngineDied,
}

impl RenderError {
    /// Returns the name of this kind of failure in metrics.
    pub const fn kind(&self) -> &'static str {
        match self {
            RenderError::QueueFull => "queue_full",
            RenderError::PropsTooLarge => "props_too_large",
            RenderError::Deadline => "deadline",
            RenderError::Threw(_) => "threw",
            RenderError::OutOfMemory => "out_of_memory",
            RenderError::EngineDied => "engine_died",
        }
    }
}

/// A renderer that could not start: the bundle does not load, or no thread could be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the rendering engine does not start: {0}")]
pub struct StartError(pub(crate) String);
