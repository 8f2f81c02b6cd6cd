import { ServiceError } from '../core/service-error.ts'

/** One text for whatever is wrong with a signature or a token: which it was helps only those who try to forge one. */
export const notSignedIn = (): ServiceError =>
  new ServiceError('unauthorized', 'this is no valid sign-in', {
    hint: 'GET /auth/challenge, sign its message, POST /auth/verify; a challenge works once and for 5 minutes, a token for an hour; for what you bought GET /account/sign-in',
  })
