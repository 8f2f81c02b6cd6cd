import type { Usd } from '../core/money.ts'

/** What an operator's key may be used for. */
export type Scope = 'read' | 'trade' | 'admin'

export type FreeAccess = { kind: 'free' }
export type PaidAccess = { kind: 'paid'; price: Usd }
export type WalletAccess = { kind: 'wallet' }
export type OperatorAccess = { kind: 'operator'; scope: Scope }

/** Who may call: everybody, whoever pays, a signed-in wallet, or the operator. */
export type Access = FreeAccess | PaidAccess | WalletAccess | OperatorAccess

export const free: FreeAccess = { kind: 'free' }
export const wallet: WalletAccess = { kind: 'wallet' }
export const paid = (price: Usd): PaidAccess => ({ kind: 'paid', price })
export const operator = (scope: Scope): OperatorAccess => ({ kind: 'operator', scope })
