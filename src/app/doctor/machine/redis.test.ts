import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { secret } from '../../../core/secret.ts'
import { systemClock } from '../../../core/time/clock.ts'
import { isRedisMissing, startRedis } from '../../../testing/access/redis-server.ts'
import { redisCheck } from './redis.ts'

const look = (url: string) => redisCheck(secret(url), systemClock).run(AbortSignal.timeout(10_000))

describe.skipIf(isRedisMissing)('the settings of a Redis', () => {
  test('must throw nothing away when it is full, which is said where it would', async () => {
    const server = await startRedis('--appendonly', 'yes')
    onTestFinished(server.end)
    expect(await look(server.url)).toEqual({ state: 'ok', what: 'answers', next: [] })
    await server.admin((client) => client.config('SET', 'maxmemory-policy', 'volatile-lru'))
    expect(await look(server.url)).toEqual({
      state: 'warning',
      what: expect.stringContaining('volatile-lru'),
      next: [expect.stringContaining('noeviction')],
    })
  })

  test('must keep what it is told, which is said where it would not', async () => {
    const server = await startRedis()
    onTestFinished(server.end)
    expect(await look(server.url)).toEqual({
      state: 'warning',
      what: expect.stringContaining('a restart forgets'),
      next: [expect.stringContaining('appendonly yes')],
    })
  })

  test('are all named at once', async () => {
    const server = await startRedis('--maxmemory-policy', 'volatile-lru')
    onTestFinished(server.end)
    const { what, next } = await look(server.url)
    expect(what).toMatch(/volatile-lru.*; it keeps no log/)
    expect(next).toEqual([expect.stringContaining('noeviction'), expect.stringContaining('appendonly yes')])
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
