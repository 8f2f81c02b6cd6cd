import { expect, test } from 'vitest'
import type { FeedSink } from './events.ts'
import { teeSink } from './tee-sink.ts'

test('every sink hears everything once, the first one first', () => {
  const heard: string[] = []
  const names = ['trade', 'book', 'bookLost', 'kline', 'tradeDoubt', 'minuteLost', 'oracle'] as const
  const sinkOf = (name: string) =>
    Object.fromEntries(
      names.map((event) => [event, (told: unknown) => void heard.push(`${name} ${event} ${told}`)]),
    ) as unknown as FeedSink
  const tee = teeSink(sinkOf('a'), sinkOf('b'))
  for (const event of names) (tee[event] as (told: unknown) => void)(event.length)
  expect(heard).toEqual(
    names.flatMap((event) => ['a', 'b'].map((name) => `${name} ${event} ${event.length}`)),
  )
})
