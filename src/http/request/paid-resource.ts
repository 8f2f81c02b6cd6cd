import { PAYMENT_PARAM_NAMES } from '../../catalog/payment-params.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Target } from './target.ts'

/** It stands in the headers of a 402, which must fit through proxies. */
const RESOURCE_LIMIT = 250

/** The address that is paid for: what the caller asked, without the params that only steer the payment. */
export function paidResourceOf({ path, query }: Target): string {
  const own = new URLSearchParams(query)
  for (const name of PAYMENT_PARAM_NAMES) own.delete(name)
  const resource = own.size === 0 ? path : `${path}?${own}`
  if (resource.length <= RESOURCE_LIMIT) return resource
  throw new ServiceError('address_too_long', `a paid address may have ${RESOURCE_LIMIT} characters`, {
    hint: 'give fewer or shorter params; nothing was charged',
  })
}
