import type { Usd } from '../core/money.ts'

/** What an operator's key may be used for. */
export type Scope = 'read' | 'trade' | 'admin'

export type FreeAccess = { kind: 'free' }
export type PaidAccess = { kind: 'paid'; price: Usd }
export type WalletAccess = { kind: 'wallet' }
export type PayerAccess = { kind: 'payer' }
export type OperatorAccess = { kind: 'operator'; scope: Scope }

/** Who may call: everybody, whoever pays, a holder with a token, a wallet that proves who it is, or the operator. */
export type Access = FreeAccess | PaidAccess | WalletAccess | PayerAccess | OperatorAccess

export const free: FreeAccess = { kind: 'free' }
export const wallet: WalletAccess = { kind: 'wallet' }
export const payer: PayerAccess = { kind: 'payer' }
export const paid = (price: Usd): PaidAccess => ({ kind: 'paid', price })
export const operator = (scope: Scope): OperatorAccess => ({ kind: 'operator', scope })
