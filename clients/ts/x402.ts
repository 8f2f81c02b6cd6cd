/** The terms of a 402. What else stands in it is passed on to the wallet too. */
export type PaymentRequired = {
  x402Version: number
  resource: { url: string }
  accepts: Offer[]
}

/** One way to pay. */
export type Offer = {
  scheme: string
  network: `${string}:${string}`
  asset: string
  amount: string
  payTo: string
  maxTimeoutSeconds: number
  extra: Record<string, unknown>
}

/** What the service says of a payment that went through. */
export type Settlement = {
  success: boolean
  transaction: string
  network: string
  payer?: string
  amount?: string
  extensions?: Record<string, unknown>
}

/** Any `x402Client` of @x402/fetch or @x402/core. Described by what is used of it, so that no version of them is imposed. */
export type Wallet = { createPaymentPayload(paymentRequired: PaymentRequired): Promise<object> }

/** As x402 headers carry JSON: base64 of UTF-8, in browsers too. */
export function toBase64(value: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** Undefined where it is no base64 of JSON. */
export function fromBase64(text: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
