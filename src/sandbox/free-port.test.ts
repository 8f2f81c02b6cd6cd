import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { choosePort } from '../http/listen.ts'
import { findFreePort } from './free-port.ts'

const HOST = '127.0.0.1'

test('a wanted port is taken where it is free, and another one where somebody has it', async () => {
  const port = await choosePort(HOST, 0)
  expect(await findFreePort(port)).toBe(port)
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port, HOST, resolve))
  onTestFinished(() => void other.close())
  const found = await findFreePort(port)
  expect(found).not.toBe(port)
  expect(await findFreePort(found)).toBe(found)
})
