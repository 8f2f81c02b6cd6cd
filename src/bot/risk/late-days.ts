/** Days before today whose windows may still be resolving. */
export const LATE_DAYS = 2
