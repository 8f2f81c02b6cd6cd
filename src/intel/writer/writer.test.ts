import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../core/time/time.ts'
import { honeypotFigures, soundFigures } from '../../testing/intel/diagnosed-tokens.ts'
import { startModelWorld } from '../../testing/intel/model-world.ts'
import { toAssignment } from '../diagnosis/diagnose.ts'
import type { TokenFigures } from '../tokens/token-analysis.ts'
import { judge } from '../tokens/token-analyst.ts'
import { createDailyBudget } from './daily-budget.ts'
import { createWriter } from './writer.ts'

const assignmentOf = (figures: TokenFigures) => toAssignment(judge(figures))
const sound = assignmentOf(soundFigures)
const trap = assignmentOf(honeypotFigures)

test('a model writes, and the text is kept for as long as its facts stay', async () => {
  const { writer, asked } = await startModelWorld()
  const first = await writer.write(sound)
  expect(first).toMatchObject({ writtenBy: 'test-model', fallbackReason: undefined })
  expect(first.draft.analysis).toMatch(/^The checks of \{token\} came back clean\./)
  expect(await writer.write(assignmentOf({ ...soundFigures, asOfMs: 1 }))).toEqual(first)
  expect(asked).toHaveLength(1)
  const { priceUsd } = soundFigures.market
  const dearer = { ...soundFigures.market, priceUsd: (priceUsd ?? 0) * 2 }
  await writer.write(assignmentOf({ ...soundFigures, market: dearer }))
  expect(asked).toHaveLength(2)
})

test('what is asked is what the format wants, and no more', async () => {
  const { writer, asked } = await startModelWorld()
  await writer.write(trap)
  expect(asked[0]?.authorization).toBe('Bearer test')
  const { messages, ...rest } = JSON.parse(asked[0]?.body ?? '')
  expect(rest).toMatchObject({
    model: 'test-model',
    temperature: 0,
    stream: false,
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'diagnosis',
        strict: true,
        schema: {
          type: 'object',
          required: ['verdict', 'analysis', 'findings'],
          additionalProperties: false,
        },
      },
    },
  })
  expect(messages.map(({ role }: { role: string }) => role)).toEqual(['system', 'user'])
  // Names, symbols, addresses and what sources say in their own words stay here.
  expect(asked[0]?.body).not.toMatch(/Harbor|HRBR|evil|0x/)
})

test('equal texts that are wanted at the same time are asked for once', async () => {
  const { writer, asked } = await startModelWorld()
  const all = await Promise.all(Array.from({ length: 20 }, () => writer.write(trap)))
  expect(new Set(all.map(({ writtenBy }) => writtenBy))).toEqual(new Set(['test-model']))
  expect(asked).toHaveLength(1)
})

test.each([
  ['invents', 'text_refused'],
  ['breaks_schema', 'text_refused'],
  ['prose', 'text_refused'],
  ['empty', 'text_refused'],
  ['refuses', 'model_refused'],
  ['limit', 'model_unavailable'],
] as const)('where a model %s, rules write: %s', async (mode, reason) => {
  const { writer, script, asked } = await startModelWorld()
  script.mode = mode
  const written = await writer.write(trap)
  expect(written).toEqual({ draft: trap.byRules(), writtenBy: 'rules', fallbackReason: reason })
  expect(asked).toHaveLength(1)
})

test('what was refused is not asked for again until ten minutes have passed', async () => {
  const { writer, script, asked, clock, log } = await startModelWorld()
  script.mode = 'invents'
  await writer.write(trap)
  script.mode = 'well'
  clock.advance(10 * 60_000 - 1)
  expect(await writer.write(trap)).toMatchObject({ fallbackReason: 'text_refused' })
  expect(asked).toHaveLength(1)
  clock.advance(1)
  expect(await writer.write(trap)).toMatchObject({ writtenBy: 'test-model' })
  expect(JSON.stringify(log.lines)).toContain('a number that is in no fact')
})

test('a server that does not know schemas is asked without, and from then on at once', async () => {
  const { writer, script, asked } = await startModelWorld()
  script.mode = 'dislikes_schema'
  expect(await writer.write(trap)).toMatchObject({ writtenBy: 'test-model' })
  expect(await writer.write(sound)).toMatchObject({ writtenBy: 'test-model' })
  expect(asked.map(({ body }) => 'response_format' in JSON.parse(body))).toEqual([true, false, false])
})

test.each([
  ['thinks', ['max_tokens', 'max_completion_tokens', 'max_completion_tokens'], 2],
  [
    'thinks_without_schema',
    ['max_tokens', 'max_completion_tokens', 'max_completion_tokens', 'max_completion_tokens'],
    2,
  ],
  ['dislikes_schema', ['max_tokens', 'max_tokens', 'max_tokens'], 2],
] as const)(
  'a server whose model %s is asked as it likes, and each text counts once',
  async (mode, limits, used) => {
    const { writer, script, asked, counts } = await startModelWorld()
    script.mode = mode
    expect(await writer.write(trap)).toMatchObject({ writtenBy: 'test-model' })
    expect(await writer.write(sound)).toMatchObject({ writtenBy: 'test-model' })
    const sent = asked.map(({ body }) => JSON.parse(body))
    expect(sent.map((each) => Object.keys(each).find((field) => field.startsWith('max_')))).toEqual(limits)
    expect(sent.map((each) => 'temperature' in each)).toEqual(limits.map((limit) => limit === 'max_tokens'))
    expect([...counts.values()]).toEqual([used])
  },
)

test('a server that turns everything away is left alone for ten minutes, and spends nothing meanwhile', async () => {
  const { writer, script, asked, clock, counts } = await startModelWorld()
  const write = (price: number) =>
    writer.write(assignmentOf({ ...soundFigures, market: { ...soundFigures.market, priceUsd: price } }))
  script.mode = 'turns_away'
  for (const price of [1, 2, 3, 4, 5])
    expect(await write(price)).toMatchObject({ writtenBy: 'rules', fallbackReason: 'model_unavailable' })
  // Each of three is tried with the schema and without.
  expect([asked.length, ...counts.values()]).toEqual([6, 3])
  script.mode = 'well'
  clock.advance(10 * 60_000 - 1)
  expect(await write(6)).toMatchObject({ fallbackReason: 'model_unavailable' })
  clock.advance(1)
  expect(await write(6)).toMatchObject({ writtenBy: 'test-model' })
})

test('nobody waits longer than eight seconds', async () => {
  const { writer, script, clock, asked } = await startModelWorld()
  script.mode = 'slow'
  const writing = writer.write(trap)
  while (asked.length === 0) await nextTurn()
  clock.advance(8_000)
  expect(await writing).toMatchObject({
    writtenBy: 'rules',
    fallbackReason: expect.stringMatching(/^model_/),
  })
})

test('failed requests use up the budget of the day, and a restart gives nothing back', async () => {
  const { newWriter, writer, script, asked, clock } = await startModelWorld({ callsPerDay: 2 })
  script.mode = 'empty'
  await writer.write(trap)
  script.mode = 'well'
  expect(await writer.write(sound)).toMatchObject({ writtenBy: 'test-model' })
  const restarted = newWriter()
  expect(await restarted.write(sound)).toMatchObject({ writtenBy: 'rules', fallbackReason: 'budget_spent' })
  expect(asked).toHaveLength(2)
  clock.advance(DAY_MS)
  expect(await restarted.write(sound)).toMatchObject({ writtenBy: 'test-model' })
})

test('a count that cannot be kept is not spent', async () => {
  const { clock } = await startModelWorld()
  let isBroken = true
  const budget = createDailyBudget(clock, async () => {
    if (isBroken) throw new Error('disk')
    return true
  })
  expect(await budget.take()).toBe(false)
  isBroken = false
  expect(await budget.take()).toBe(true)
})

test('without a model rules write', async () => {
  const { clock, log } = await startModelWorld()
  const written = await createWriter({ clock, log, model: undefined }).write(sound)
  expect(written).toEqual({ draft: sound.byRules(), writtenBy: 'rules', fallbackReason: 'no_model' })
})
