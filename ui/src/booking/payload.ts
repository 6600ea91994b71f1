export type BookingPayload = Record<string, unknown>;
