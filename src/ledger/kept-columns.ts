/** What a payment is and what it buys never changes, whatever becomes of it. */
export const PAYMENT_KEEPS: readonly string[] = [
  'key',
  'id',
  'identifier',
  'fingerprint',
  'product_id',
  'request',
  'payer',
  'network',
  'asset',
  'amount',
  'pay_to',
  'payment',
]
