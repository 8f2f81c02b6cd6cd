import { expect, onTestFinished, test } from 'vitest'
import { ServiceError } from '../../core/service-error.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { judge } from '../../intel/tokens/token-analyst.ts'
import { serveGroup } from '../../testing/http/serve-groups.ts'
import { honeypotFigures, soundFigures, TOKEN } from '../../testing/intel/diagnosed-tokens.ts'
import { startModelWorld } from '../../testing/intel/model-world.ts'
import { DiagnosisReply } from './fields.ts'
import { diagnosisGroup } from './group.ts'
import type { DiagnosisServices } from './services.ts'

const PATH = `/token/${TOKEN}/diagnose`

async function serve(changed: Partial<DiagnosisServices> = {}) {
  const world = await startModelWorld()
  const services: DiagnosisServices = {
    analyst: { analyse: async () => judge(soundFigures), state: () => 0 },
    lookup: { checkExists: async () => {} },
    sourceOf: (source) => `sandbox:${source}`,
    writer: world.writer,
    ...changed,
  }
  const clock = createManualClock(soundFigures.asOfMs)
  const served = await serveGroup(diagnosisGroup, services, { clock, demoCalls: 100 })
  onTestFinished(served.close)
  const get = async (path = PATH) => {
    const { status, body } = await served.ask('GET', path)
    return { status, body: JSON.parse(Buffer.from(body, 'latin1').toString('utf8')) }
  }
  return { ...world, served, get, clock }
}

test('a diagnosis cites its facts, and says who wrote it and what is behind it', async () => {
  const { get, asked } = await serve()
  const { status, body } = await get()
  expect(status).toBe(200)
  expect(DiagnosisReply.safeParse(body).error).toBeUndefined()
  expect(body).toMatchObject({
    token: TOKEN,
    name: 'Harbor',
    symbol: 'HRBR',
    name_withheld: false,
    timestamp: new Date(soundFigures.asOfMs).toISOString(),
    trade_readiness: { verdict: 'ready', method: '/methodology/diagnosis#verdict' },
    risk_rating: 'low',
    written_by: 'test-model',
    fallback_reason: null,
  })
  expect(body.analysis).toMatch(/^The checks of HRBR came back clean\./)
  const ids = body.facts.map(({ id }: { id: string }) => id)
  for (const { facts } of body.findings) for (const id of facts) expect(ids).toContain(id)
  for (const { source } of body.facts) expect(source).toMatch(/^sandbox:/)
  expect(body.parts).toHaveLength(6)
  expect(asked).toHaveLength(1)
})

test('where the model invents, rules write, and the verdict is the same', async () => {
  const analysis = judge(honeypotFigures)
  const { get, script } = await serve({ analyst: { analyse: async () => analysis, state: () => 0 } })
  script.mode = 'invents'
  const { body } = await get()
  expect(body).toMatchObject({
    written_by: 'rules',
    fallback_reason: 'text_refused',
    trade_readiness: { verdict: 'avoid', reasons: [{ code: 'honeypot' }, { code: 'sell_tax' }] },
  })
  expect(body.findings[0]).toMatchObject({
    kind: 'risk',
    severity: 'critical',
    facts: ['risk.honeypot', 'selling'],
  })
  expect(body.analysis).not.toContain('987,654')
})

test('without market data it is 503, an unknown token 404, a malformed address 422', async () => {
  const gone = await serve({
    analyst: {
      analyse: () => Promise.reject(new ServiceError('upstream_unavailable', 'no market')),
      state: () => 0,
    },
  })
  expect((await gone.get()).status).toBe(503)
  expect(gone.asked).toEqual([])
  const unknown = await serve({
    lookup: { checkExists: () => Promise.reject(new ServiceError('unknown_token', 'no such token')) },
  })
  expect((await unknown.get()).status).toBe(404)
  expect((await unknown.get('/token/0x12/diagnose')).status).toBe(422)
})

test('a market that is too old is not sold', async () => {
  const { get, clock } = await serve()
  clock.advance(60_001)
  expect((await get()).status).toBe(503)
})

test('a client gets twenty a minute', async () => {
  const { get } = await serve()
  const statuses = []
  for (let call = 0; call < 21; call++) statuses.push((await get()).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(20)
  expect(statuses.at(-1)).toBe(429)
})
