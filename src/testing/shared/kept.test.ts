import { createServer, type Server } from 'node:http'
import { expect, test, vi } from 'vitest'
import { listen } from '../../http/listen.ts'
import { closeKept, closeUnlessAskedFor, keep, openHandles } from './kept.ts'

const HOST = '127.0.0.1'

test('one is kept for who asks by its name, until another is asked for or a file asks for none', async () => {
  const closed: string[] = []
  const opener = (name: string) => async () => ({
    async [Symbol.asyncDispose]() {
      closed.push(name)
    },
  })
  const first = await keep('first', opener('first'))
  expect(await keep('first', opener('again'))).toBe(first)
  await keep('second', opener('second'))
  expect(closed).toEqual(['first'])
  await closeUnlessAskedFor()
  expect(closed).toEqual(['first'])
  await closeUnlessAskedFor()
  expect(closed).toEqual(['first', 'second'])
})

test('only what is kept is no trace of a file', async () => {
  const opened = async (server: Server) => {
    await listen(server, HOST, 0)
    return { [Symbol.asyncDispose]: async () => void server.close() }
  }
  await closeKept()
  const before = openHandles()
  await keep('a server', () => opened(createServer()))
  expect(openHandles()).toEqual(before)
  const left = await opened(createServer())
  expect(openHandles()).toHaveLength(before.length + 1)
  await left[Symbol.asyncDispose]()
  await closeKept()
  await vi.waitFor(() => expect(openHandles()).toEqual(before))
})
