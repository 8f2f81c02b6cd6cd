/** Who a payment's customers are, as all processes of a service know it together. */
export type SharedCustomers = {
  /**
   * Of several the first stays, and a receiver is noted only beside a buyer: without one nobody is refused. Nobody waits
   * for it, and it never fails: what could not be told is not known elsewhere until it can be.
   */
  note(paymentKey: string, as: 'buyer' | 'receiver', customer: string): void
  /** Resolves soon and never rejects. */
  compare(paymentKey: string, customer: string): Promise<Compared>
}

/** Whether it is this customer; undefined where nobody was noted, or nobody can tell now. */
type Compared = { isBuyer: boolean | undefined; isReceiver: boolean | undefined }
