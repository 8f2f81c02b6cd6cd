import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { usd } from '../../core/money.ts'
import { shorten } from '../../core/shorten.ts'
import { diagnose } from '../../intel/diagnosis/diagnose.ts'
import { TOKEN_LOOKS } from '../look-limits.ts'
import { Address, MARKET_FRESH_MS, SAMPLE_ADDRESS } from '../tokens/fields.ts'
import { DiagnosisReply } from './fields.ts'
import { WRITER_LIMIT } from './limit.ts'
import type { DiagnosisServices } from './services.ts'
import { toReply } from './shown-diagnosis.ts'

export const diagnosis = defineEndpoint({
  id: 'token.diagnose',
  method: 'GET',
  path: '/token/{addr}/diagnose',
  access: paid(usd('0.01')),
  summary: 'Diagnosis of a token on Base in words, with findings and facts',
  description:
    'An analysis text, a verdict (ready, caution, avoid or unknown) with its reasons, findings that cite the facts they rest on, and those facts. Rules decide; a language model may only phrase, and a text with a number, link or claim that is no fact is replaced by one that rules write: written_by says who wrote. Names that read like messages are left out. 20 a minute per client. Without market data, or while no risk source answers, 503 and no charge.',
  brings: 'A verdict in words, the findings behind it and the facts that each of them rests on.',
  limit: WRITER_LIMIT,
  params: z.object({ addr: Address }),
  title: ({ addr }) => `Diagnosis of the token ${shorten(addr)}`,
  sample: { addr: SAMPLE_ADDRESS },
  response: DiagnosisReply,
  freshForMs: MARKET_FRESH_MS,
  checkExists: ({ lookup }: DiagnosisServices, { addr }, mayLook) => lookup.checkExists(addr, mayLook),
  lookLimit: TOKEN_LOOKS,
  handle: async ({ analyst, writer, sourceOf }: DiagnosisServices, { addr }) => {
    const analysis = await analyst.analyse(addr)
    return toReply(analysis, await diagnose(analysis, writer), sourceOf)
  },
})
