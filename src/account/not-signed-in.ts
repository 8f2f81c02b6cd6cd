import { ServiceError } from '../core/service-error.ts'
import type { SignInCause } from '../core/sign-in-cause.ts'

/** One text for whatever is wrong with a signature or a token: which it was helps only those who try to forge one. The log has it. */
export const notSignedIn = (cause: SignInCause, wallet?: string): ServiceError =>
  new ServiceError('unauthorized', 'this is no valid sign-in', {
    hint: 'GET /auth/challenge, sign its message, POST /auth/verify; a challenge works once and for 5 minutes, a token for an hour; for what you bought GET /account/sign-in',
    unseen: { cause, wallet },
  })
