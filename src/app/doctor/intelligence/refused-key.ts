import type { UpstreamError } from '../../../upstreams/upstream.ts'
import { type Finding, failure } from '../check.ts'

const KEY_REFUSED: readonly (number | undefined)[] = [401, 402, 403]

/** Of a provider that answers better, or only, with a key; undefined where the key is not what is wrong. */
export function explainKey(
  error: UpstreamError,
  { hasKey, variable, get }: { hasKey: boolean; variable: string; get: string },
): Finding | undefined {
  if (KEY_REFUSED.includes(error.status))
    return hasKey
      ? failure(`does not take our key (${error.status})`, `copy ${variable} again from where you got it`)
      : failure(`asks for a key (${error.status})`, get)
  return error.status === 429 && !hasKey
    ? failure('refuses requests from this address for now (429)', `wait a minute, or ${get}`)
    : undefined
}
