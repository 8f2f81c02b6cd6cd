import { z } from 'zod'
import type { Config } from '../../../config/config.ts'
import { chatBase } from '../../../upstreams/llm/client.ts'
import { UpstreamError } from '../../../upstreams/upstream.ts'
import { wireArray, wireText } from '../../../upstreams/wire/text.ts'
import { type Check, failure, ok, skipped, warning } from '../check.ts'
import { hostCheck } from '../host-check.ts'

const MAX_MODELS = 10_000
const MAX_ID_CHARS = 300
const KEY_REFUSED: readonly (number | undefined)[] = [401, 403]
/** Of the same protocol as chat completions, and free. */
const Models = z.object({ data: wireArray(z.object({ id: wireText(MAX_ID_CHARS, 1) }), MAX_MODELS) })

/** That the language model's server answers, takes our key and has the model. Nothing is written: that costs money. */
export function writerCheck({ writer, upstreams }: Pick<Config, 'writer' | 'upstreams'>): Check {
  const { key, model, callsPerDay } = writer
  const url = upstreams.LLM
  if (url === undefined || callsPerDay === 0) return noModelCheck(url !== undefined)
  return hostCheck(
    {
      name: 'model',
      group: 'writer',
      provider: 'llm',
      upstream: 'LLM',
      headers: key && { authorization: `Bearer ${key.reveal()}` },
      async look({ ask }) {
        try {
          const { data } = await ask({ path: '/models', schema: Models })
          // A server with a single model takes any name.
          if (data.length === 1 || data.some(({ id }) => id === model))
            return ok(`has ${data.length === 1 ? 'one model' : model}, ${callsPerDay} requests a day`)
          return warning(`does not list ${model}`, 'correct TOLLBOOK_LLM_MODEL; until then rules write')
        } catch (error) {
          if (!(error instanceof UpstreamError) || error.fault !== 'not_found') throw error
          return ok(`answers, and does not list its models: whether it has ${model} is not known`)
        }
      },
      explain: ({ status }) =>
        KEY_REFUSED.includes(status)
          ? failure(`does not take our key (${status})`, 'correct TOLLBOOK_LLM_KEY; until then rules write')
          : undefined,
    },
    chatBase(url),
  )
}

const noModelCheck = (hasUrl: boolean): Check => ({
  name: 'model',
  group: 'writer',
  advice: '',
  run: async () =>
    hasUrl
      ? skipped('TOLLBOOK_LLM_CALLS_PER_DAY is 0: rules write all texts')
      : skipped(
          'no language model is configured: rules write all texts',
          'for texts of a model set TOLLBOOK_UPSTREAM_LLM_URL, TOLLBOOK_LLM_MODEL and, where it wants one, TOLLBOOK_LLM_KEY',
        ),
})
