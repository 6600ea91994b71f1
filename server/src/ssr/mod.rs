//! JavaScript engines: the only place that runs the server-rendering bundle.
