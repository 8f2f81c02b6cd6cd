import { ServiceError } from '../core/service-error.ts'

export const notAHolder = (wallet: string): ServiceError =>
  new ServiceError('forbidden', 'this wallet holds less than one project token', {
    hint: 'GET /deep/info names the token; without it call without Authorization and pay through x402',
    unseen: { cause: 'not_a_holder', wallet },
  })
