import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { holdServiceLock } from './service-lock.ts'

const freshDir = () => join(temporaryDir(), 'data')

test('a second service on the same directory gets an error that says so', () => {
  const dir = freshDir()
  const lock = holdServiceLock(dir)
  expect(() => holdServiceLock(dir)).toThrow(`${dir} is in use by a running service`)
  lock.release()
  holdServiceLock(dir).release()
})

test('another process holds it, and killing that process frees it', async () => {
  const dir = freshDir()
  const module = new URL('./service-lock.ts', import.meta.url).href
  const code = `const { holdServiceLock } = await import(${JSON.stringify(module)})
    holdServiceLock(${JSON.stringify(dir)}); console.log('held'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  expect(() => holdServiceLock(dir)).toThrow(/in use/)
  child.kill('SIGKILL')
  await once(child, 'exit')
  holdServiceLock(dir).release()
})
