/** One way to pay one price, as it stands in an x402 envelope. */
export type Requirement = {
  scheme: 'exact'
  network: string
  amount: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  extra: Record<string, string>
}

export type PaymentTerms = {
  accepts(priceAtomic: string): readonly Requirement[]
  /** Accepted in principle and not offered now: earlier payments on it may still be under way. */
  isSuspended(network: string): boolean
}
