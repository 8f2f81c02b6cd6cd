import { expect, test } from 'vitest'
import { logUntil } from './feed-log.ts'

test('what fails because of the stop is not said', () => {
  const said: string[] = []
  const say = (_: object, text: string) => void said.push(text)
  const stop = new AbortController()
  const log = logUntil(stop.signal, { debug: say, info: say, warn: say })
  log.warn({}, 'a venue is away')
  stop.abort()
  for (const each of [log.debug, log.info, log.warn]) each({}, 'closed')
  expect(said).toEqual(['a venue is away'])
})
