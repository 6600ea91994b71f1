//! Pretend providers that speak the real protocols over HTTP, for development and tests.
