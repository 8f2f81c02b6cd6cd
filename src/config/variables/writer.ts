import { z } from 'zod'
import { headerSecret, wholeNumber } from './value-types.ts'
import { type Rules, variable } from './variable.ts'

const MAX_CALLS = 1_000_000
/** As providers write it: `gpt-4o-mini`, `meta-llama/Llama-3.3-70B`, `qwen2.5:7b`. It is shown to callers. */
const MODEL = /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,99}$/

const simulated: Rules = { ignoredIn: { sandbox: 'the sandbox has a model of its own' } }

/** Who writes the texts: a language model where TOLLBOOK_UPSTREAM_LLM_URL names one, else rules. */
export const WRITER_VARIABLES = {
  TOLLBOOK_LLM_KEY: variable(
    headerSecret.optional(),
    'Key of the language model, sent as Authorization: Bearer; absent: none is sent, as local models want it',
    { ...simulated, isSecret: true },
  ),
  TOLLBOOK_LLM_MODEL: variable(
    z.string().regex(MODEL, 'must be the name of a model, such as qwen2.5:7b').default('default'),
    'Name of the language model that writes diagnoses; servers with a single model take any',
    simulated,
  ),
  TOLLBOOK_LLM_CALLS_PER_DAY: variable(
    wholeNumber(0, MAX_CALLS).default(500),
    'Requests to the language model per UTC day, failed ones too; rules write what is beyond. 0: never asked',
  ),
}
