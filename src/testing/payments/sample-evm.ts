import { getAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createCatalog, type PaidProduct } from '../../catalog/catalog.ts'
import type { Requirement } from '../../catalog/payment-terms.ts'
import { toAtomic, usd } from '../../core/money.ts'
import { createTerms } from '../../payments/challenge/terms.ts'
import { AUTHORIZATION_TYPES } from '../../payments/read/evm/authorization-types.ts'
import type { Authorization, Hex } from '../../payments/read/evm/evm-authorization.ts'
import { productGroups } from '../../products/groups.ts'

export const BASE_URL = 'http://127.0.0.1:4020'
export const NOW_MS = Date.UTC(2026, 0, 5, 12)
export const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
export const terms = createTerms(
  {
    evm: getAddress(`0x${'abcd'.repeat(10)}`),
    svm: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
  },
  () => 'CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8',
)

const [cheapest] = createCatalog(productGroups).paid
if (!cheapest) throw new Error('nothing is for sale')
export const cheap: PaidProduct = cheapest
export const dear: PaidProduct = { ...cheapest, access: { kind: 'paid', price: usd('0.1') } }
export const resourceUrl = `${BASE_URL}${cheapest.path.replace(/\{\w+\}/g, 'BTC')}?max_age=2`

export function requirementOf(product: PaidProduct, network: 'eip155' | 'solana'): Requirement {
  const found = terms
    .accepts(toAtomic(product.access.price))
    .find((requirement) => requirement.network.startsWith(network))
  if (!found) throw new Error(`${network} is not accepted`)
  return found
}

export type Domain = { name: string; version: string; chainId: number; verifyingContract: Hex }

export function domainOf({ network, asset, extra }: Requirement): Domain {
  const { name = '', version = '' } = extra
  return { name, version, chainId: Number(network.split(':')[1]), verifyingContract: asset as Hex }
}

/** Signed by viem; `changes` and `domain` are applied before signing. */
export async function signAuthorization(
  requirement: Requirement,
  changes: Partial<Authorization> = {},
  domain: Partial<Domain> = {},
): Promise<{ signature: Hex; authorization: Authorization }> {
  const authorization: Authorization = {
    from: account.address,
    to: requirement.payTo as Hex,
    value: requirement.amount,
    validAfter: '0',
    validBefore: String(NOW_MS / 1000 + requirement.maxTimeoutSeconds),
    nonce: `0x${'5a'.repeat(32)}`,
    ...changes,
  }
  const signature = await account.signTypedData({
    domain: { ...domainOf(requirement), ...domain },
    types: AUTHORIZATION_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
    },
  })
  return { signature, authorization }
}

export function toHeader(payment: unknown): string {
  return Buffer.from(JSON.stringify(payment)).toString('base64')
}
