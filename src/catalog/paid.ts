declare const paidBrand: unique symbol
/** Proof that access to one paid product was granted. Only the gate can make one, and it works once. */
export type Paid = { readonly productId: string; readonly [paidBrand]: true }

/** `mint` belongs to the gate, `redeem` to whoever produces the data; nobody else gets either. */
export type PaidMint = { mint(productId: string): Paid; redeem(paid: Paid, productId: string): void }

export function createPaidMint(): PaidMint {
  const genuine = new WeakSet<Paid>()
  return {
    mint(productId) {
      const paid = Object.freeze({ productId }) as Paid
      genuine.add(paid)
      return paid
    },
    redeem(paid, productId) {
      if (!genuine.delete(paid) || paid.productId !== productId)
        throw new Error(`${productId} was reached without the gate`)
    },
  }
}
