import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { liveEnvironment } from '../testing/config/live-environment.ts'
import { temporaryDir } from '../testing/ledger/temporary-dir.ts'
import { ConfigError, readConfig } from './config.ts'
import { readEnvFile } from './env-file.ts'

function fileWith(text: string, mode = 0o600) {
  const path = join(temporaryDir(), '.env')
  writeFileSync(path, text)
  chmodSync(path, mode)
  return { path, file: readEnvFile(path) }
}
const KEY = '0123456789abcdef'.repeat(2)

test('what the environment does not say is taken from the file; even an empty value of the environment wins', () => {
  const { file } = fileWith('PORT=5000\nHOST="::1" # ours\r\n\nexport TOLLBOOK_LOG_LEVEL=warn\n')
  expect(readConfig({}, file)).toMatchObject({ port: 5000, host: '::1', logLevel: 'warn' })
  expect(readConfig({ PORT: '6000', HOST: '' }, file)).toMatchObject({ port: 6000, host: '127.0.0.1' })
})

test('a key over several lines is one value, and a mark at the start of the file is no part of a name', () => {
  const pem = `-----BEGIN KEY-----\n${KEY}\n-----END KEY-----`
  const text = `\uFEFFTOLLBOOK_FACILITATOR_KEY_ID=name\nTOLLBOOK_FACILITATOR_KEY="${pem}"\nPORT=1\n`
  const { facilitatorKey, port } = readConfig({}, fileWith(text).file)
  expect([facilitatorKey?.keyId, facilitatorKey?.key.reveal(), port]).toEqual(['name', pem, 1])
})

test('every mistake is named with its line or its variable, and no text of the file is shown', () => {
  const { path, file } = fileWith(
    `# fine\nTOLLBOOK_OPERATOR_KEY ${KEY}\nHOST='a\nb'\n${KEY}\nTOLLBOOK_CLOB_SECRET="${KEY}\nPORT=x\nTOLLBOOK_PROT=1`,
  )
  const problems = problemsOf(file)
  expect(problems).toEqual(
    expect.arrayContaining([
      `${path}, line 2: must be NAME=value or start with #`,
      `${path}, line 5: must be NAME=value or start with #`,
      `${path}, line 6: the quote of TOLLBOOK_CLOB_SECRET is not closed`,
      'PORT: must be a whole number from 0 to 65535',
      'TOLLBOOK_PROT: no such variable; see .env.example',
    ]),
  )
  expect(problems.join()).not.toContain(KEY)
})

test('a secret that every user can read is noticed', () => {
  const text = `TOLLBOOK_OPERATOR_KEY=${KEY}\nPORT=5000\n`
  const { path, file } = fileWith(text, 0o644)
  const notice = `TOLLBOOK_OPERATOR_KEY: every user of this machine can read it: chmod 600 ${path}`
  expect(readConfig(liveEnvironment, file).notices).toEqual([notice])
  expect(readConfig(liveEnvironment, fileWith(text, 0o640).file).notices).toEqual([])
  expect(readConfig(liveEnvironment, fileWith('PORT=5000', 0o644).file).notices).toEqual([])
})

test('no file is nothing, and what is no file is a mistake', () => {
  expect(readEnvFile(join(temporaryDir(), '.env'))).toBeUndefined()
  const folder = join(temporaryDir(), '.env')
  mkdirSync(folder)
  expect(problemsOf(readEnvFile(folder))).toEqual([`${folder}: cannot be read (EISDIR)`])
})

function problemsOf(file: ReturnType<typeof readEnvFile>): readonly string[] {
  try {
    readConfig({}, file)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}
