//! Payment gateways: where a customer pays and what the gateway says of an order.
