import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chooseModel, ownModelFile } from '../../signals/model/own/load-own-model.ts'
import { dayPath, historyFolder } from '../../signals/samples/files/day-files.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { HISTORY_START_MS, sampleHistory, writeHistory } from '../../testing/signals/sample-history.ts'

const main = new URL('../main.ts', import.meta.url).pathname

function train(dataDir: string, ...args: string[]) {
  const env = { ...process.env, TOLLBOOK_DATA_DIR: dataDir }
  const options = { encoding: 'utf8', env, cwd: dataDir } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'train', ...args], options)
  return { status, stdout, stderr }
}

async function record(days: number): Promise<string> {
  const dataDir = temporaryDir()
  const folder = historyFolder(dataDir)
  mkdirSync(folder)
  await writeHistory(folder, sampleHistory({ seed: 'cli', coins: ['BTC'], days, told: 0.3 }))
  return dataDir
}

test('what is better is adopted once it is not a dry run, and the next start finds it', {
  timeout: 240_000,
}, async () => {
  const dataDir = await record(21)
  appendFileSync(dayPath(historyFolder(dataDir), HISTORY_START_MS), '1767571200000,BTC,1')
  const dry = train(dataDir, '--own', '--dry-run')
  expect(dry.status).toBe(0)
  expect(dry.stdout).toMatch(
    /^history: 21 days .*minutes watched: BTC 30240; .*skipped: 1 damaged, 0 repeated$/m,
  )
  expect(dry.stdout).toMatch(
    /^all +\d+ predictions, 12 days: log loss [\d.]+, [\d.]+ less than the current model \[/m,
  )
  expect(dry.stdout).toMatch(/^kept five-minute-\S+: --dry-run; five-minute-\S+-own-1-\S+ would be adopted$/m)
  expect(existsSync(ownModelFile(dataDir))).toBe(false)

  const { status, stdout } = train(dataDir, '--own')
  const name = /^adopted (\S+): restart the service/m.exec(stdout)?.[1]
  expect([status, chooseModel(dataDir)]).toMatchObject([0, { model: { name }, fault: undefined }])
  const file = readFileSync(ownModelFile(dataDir), 'utf8')
  const again = train(dataDir, '--own')
  expect(again.stdout).toContain(`kept ${name}: 0 days of it are new to both models`)
  expect([again.status, readFileSync(ownModelFile(dataDir), 'utf8')]).toEqual([0, file])
})

test('too little history keeps the model, with the figures and exit code 0; none at all is an error', async () => {
  const { status, stdout } = train(await record(3), '--own')
  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(/^kept five-minute-\S+: the history has 3 days, and 20 are needed/m),
  ])
  const empty = train(temporaryDir(), '--own')
  expect([empty.status, empty.stderr]).toEqual([
    1,
    expect.stringContaining('holds no history yet: it grows while the service runs'),
  ])
})

test('options that do not go together are refused', () => {
  expect(train(temporaryDir(), '--own', '--history', join('a', 'b'))).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--own takes no other option than --dry-run'),
  })
  expect(train(temporaryDir(), '--dry-run')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--dry-run goes with --own'),
  })
})
