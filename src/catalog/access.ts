import type { Usd } from '../core/money.ts'

/** Who may call: everybody, whoever pays, a signed-in wallet, or the operator. */
export type Access =
  | { kind: 'free' }
  | { kind: 'paid'; price: Usd }
  | { kind: 'wallet' }
  | { kind: 'operator'; scope: 'read' | 'trade' | 'admin' }

export const free: Access = { kind: 'free' }
export const wallet: Access = { kind: 'wallet' }
export const paid = (price: Usd): Access => ({ kind: 'paid', price })
export const operator = (scope: 'read' | 'trade' | 'admin'): Access => ({ kind: 'operator', scope })
