import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { secret } from '../../../core/secret.ts'
import { systemClock } from '../../../core/time/clock.ts'
import { isRedisMissing, startRedis } from '../../../testing/access/redis-server.ts'
import { redisCheck } from './redis.ts'

const look = (url: string) => redisCheck(secret(url), systemClock).run(AbortSignal.timeout(10_000))

describe.skipIf(isRedisMissing)('a Redis that is full', () => {
  test('must throw nothing away, which is said where it would', async () => {
    const server = await startRedis()
    onTestFinished(server.end)
    expect(await look(server.url)).toEqual({ state: 'ok', what: 'answers', next: [] })
    await server.admin((client) => client.config('SET', 'maxmemory-policy', 'volatile-lru'))
    expect(await look(server.url)).toEqual({
      state: 'warning',
      what: expect.stringContaining('volatile-lru'),
      next: [expect.stringContaining('noeviction')],
    })
  })

  test('is not looked at where its user may not ask, and that is said', async () => {
    const server = await startRedis()
    onTestFinished(server.end)
    // The client tells that it may not ask either.
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    await server.admin((client) => client.config('SET', 'maxmemory-policy', 'volatile-lru'))
    await server.admin((client) =>
      client.acl('SETUSER', 'me', 'on', '>word', '~tollbook:*', '+@all', '-info'),
    )
    expect(await look(server.url.replace('//', '//me:word@'))).toEqual({
      state: 'ok',
      what: expect.stringContaining('not looked at'),
      next: [],
    })
  })
})
