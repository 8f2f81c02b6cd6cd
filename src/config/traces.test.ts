import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { findHeaderList } from './header-list.ts'

test('headers are pairs with percent-encoded values', () => {
  expect(findHeaderList('Authorization=Basic%20abc%3D%3D, x-scope = one ,')).toEqual([
    ['Authorization', 'Basic abc=='],
    ['x-scope', 'one'],
  ])
  expect(findHeaderList('a=b=c')).toEqual([['a', 'b=c']])
})

test.each([
  '',
  ',',
  'a',
  '=b',
  'a=',
  'a b=c',
  'a=%',
  'a=%0d%0aX: y',
  'a=é',
  'good=1,bad',
  'Content-Type=text/plain',
  'host=elsewhere',
])('%j is none', (text) => {
  expect(findHeaderList(text)).toBeUndefined()
})

const ON = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

test('traces are off until an address is set', () => {
  expect(readConfig({ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER_ARG: '0.5' }).traces).toBeUndefined()
  expect(readConfig(ON).traces).toEqual({
    url: 'http://127.0.0.1:4318/v1/traces',
    headers: undefined,
    serviceName: 'tollbook',
    share: 1,
  })
})

test.each([
  ['http://c.example/', 'http://c.example/v1/traces'],
  ['http://c.example/otlp', 'http://c.example/otlp/v1/traces'],
  ['http://c.example/otlp/?tenant=a', 'http://c.example/otlp/v1/traces?tenant=a'],
])('below %s they go to %s', (base, url) => {
  expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: base }).traces?.url).toBe(url)
})

test('an address of their own is taken as it is', () => {
  const own = 'https://c.example/api/spans'
  expect(readConfig({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own }).traces?.url).toBe(own)
  expect(readConfig({ ...ON, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own }).traces?.url).toBe(own)
})

test('what OpenTelemetry knows and we do not read gets a notice', () => {
  const more = { OTEL_TRACES_SAMPLER: 'always_off', OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }
  expect(readConfig({ ...ON, ...more }).notices).toEqual([
    'OTEL_TRACES_SAMPLER: not read here; .env.example has those that are',
  ])
  expect(readConfig(more).notices).toEqual([])
})

test('headers never print', () => {
  const config = readConfig({ ...ON, OTEL_EXPORTER_OTLP_HEADERS: 'x-key=canary' })
  expect(config.traces?.headers?.reveal()).toBe('x-key=canary')
  expect(inspect(config, { depth: null })).not.toContain('canary')
})

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://c.example'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:canary@c.example'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'canary'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ['OTEL_TRACES_SAMPLER_ARG', '-1'],
  ['OTEL_TRACES_SAMPLER_ARG', '10%'],
  ['OTEL_SERVICE_NAME', 'two words'],
])('%s=%s is a bad value', (name, value) => {
  const problems = () => {
    try {
      readConfig({ ...ON, [name]: value })
    } catch (error) {
      return (error as { problems: string[] }).problems
    }
    return []
  }
  expect(problems()).toEqual([expect.stringMatching(`^${name}: must`)])
  expect(problems().join()).not.toContain('canary')
})
