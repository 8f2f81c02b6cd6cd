import type { Site } from '../catalog/site.ts'

// What MCP says of money in its own words: a client of tools sees neither headers nor addresses.

export const PAYMENT =
  'A tool that is not paid for answers isError with x402 payment terms in structuredContent. Call it again with the same arguments and the signed payment in _meta["x402/payment"]; the receipt is in _meta["x402/payment-response"].'

export function freeCallsOf({ demoCallsPerDay }: Pick<Site, 'demoCallsPerDay'>): string {
  return demoCallsPerDay > 0
    ? `Of all paid tools together ${demoCallsPerDay} calls per UTC day and client are free. _meta["tollbook/demo-calls"] counts them; with demo "0" a tool answers with its payment terms and uses none.`
    : 'There are no free calls: every call of a paid tool needs a payment.'
}
