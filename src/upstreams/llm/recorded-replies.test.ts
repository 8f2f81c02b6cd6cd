import { readdirSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { searchSize } from '../../testing/search-size.ts'
import { chatReply, OWN_REPLIES, PARSERS, parseOwn, UNREAD } from '../../testing/upstreams/llm-parsers.ts'
import { searchMutations } from '../../testing/upstreams/mutation-search.ts'
import { areRecordedMissing, FIXTURES, recordedText } from '../../testing/upstreams/recorded.ts'
import { chatBase } from './client.ts'
import { findObject } from './wire.ts'

const areMissing = areRecordedMissing()
const TRIES = searchSize('payload-mutations')
const OPTIONAL = new Set(['content', 'object', 'verdict'])

it.skipIf(areMissing)('has a parser, or a reason, for every reply of a model', () => {
  const documented = readdirSync(new URL('from-docs', FIXTURES)).filter((file) =>
    /^(?:openai|anthropic)/.test(file),
  )
  expect([...Object.keys(PARSERS), ...Object.keys(UNREAD)].sort()).toEqual(
    documented.map((file) => `from-docs/${file}`).sort(),
  )
})

it.skipIf(areMissing)('reads the documented reply', () => {
  const text = recordedText('from-docs/openai_chat_completion.json')
  expect(PARSERS['from-docs/openai_chat_completion.json']?.(JSON.parse(text), text)).toEqual({
    content: '{"verdict":"caution"}',
    isRefused: false,
    isCutOff: false,
    object: { verdict: 'caution' },
  })
})

test.each([
  ['a text', OWN_REPLIES.text, { isRefused: false, isCutOff: false, object: { verdict: 'avoid' } }],
  ['parts', OWN_REPLIES.parts, { content: '{"verdict":"avoid"}', object: { verdict: 'avoid' } }],
  ['a refusal', OWN_REPLIES.refusal, { content: undefined, isRefused: true, object: undefined }],
  ['nothing', chatReply({}), { content: undefined, isRefused: false }],
  ['a filter', chatReply({ content: '' }, { finish_reason: 'content_filter' }), { isRefused: true }],
  ['an end too soon', chatReply({ content: '{"a":' }, { finish_reason: 'length' }), { isCutOff: true }],
  ['odd parts', chatReply({ content: [{ type: 'image' }, { text: 7 }, { text: '{}' }] }), { object: {} }],
])('reads %s', (_, json, expected) => {
  expect(parseOwn(json, '')).toMatchObject(expected)
})

test.each([
  ['{"a":1}', { a: 1 }],
  ['```json\n{"a":1}\n```', { a: 1 }],
  ['Here it is: {"a":1}. Good?', { a: 1 }],
  ['<think>{"b":2} perhaps</think>\n{"a":1}', { a: 1 }],
  ['[1]', undefined],
  ['{"a":1', undefined],
  ['{a:1}', undefined],
  ['}{', undefined],
  ['', undefined],
])('finds the object in %s', (text, object) => {
  expect(findObject(text)).toEqual(object)
})

test.each([
  ['http://127.0.0.1:11434', 'http://127.0.0.1:11434/v1'],
  ['http://127.0.0.1:11434/', 'http://127.0.0.1:11434/v1'],
  ['https://api.example.com/v1', 'https://api.example.com/v1'],
  ['https://api.example.com/openai/v1beta', 'https://api.example.com/openai/v1beta'],
])('the address %s is asked below %s', (url, base) => {
  expect(chatBase(url)).toBe(base)
})

describe(`${TRIES} changed copies`, () => {
  it.skipIf(areMissing).each(Object.keys(PARSERS))('of %s are read soundly or refused', (file) => {
    const [json, parse] = [JSON.parse(recordedText(file)), PARSERS[file]]
    const { read, refused } = searchMutations({
      file,
      json,
      parse: parse as typeof parseOwn,
      optional: OPTIONAL,
    })
    expect([read > 0, refused > 0]).toEqual([true, true])
  })

  it.each(Object.keys(OWN_REPLIES))('of our own reply with %s are, too', (name) => {
    const json = OWN_REPLIES[name]
    const { read, refused } = searchMutations({ file: name, json, parse: parseOwn, optional: OPTIONAL })
    expect([read > 0, refused > 0]).toEqual([true, true])
  })
})
