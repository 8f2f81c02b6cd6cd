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
  /** Terms that have not changed are the same object, so that what was made of them can be used again. */
  accepts(priceAtomic: string): readonly Requirement[]
  /** What a new payer is asked for: without networks where nobody can pay now, while there is another. */
  offers(priceAtomic: string): readonly Requirement[]
  /**
   * What was accepted on a network that is not offered now, while nobody is known to pay the fees there: earlier payments
   * on it may be under way, or paid. Undefined for any other network.
   */
  suspended(network: string, priceAtomic: string, feePayer: string): Requirement | undefined
  /** Whether an earlier 402 may have named this fee payer: the payments that it asked for are still good. */
  mayPayFees(network: string, feePayer: string): boolean
}
