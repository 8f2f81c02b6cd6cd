import { loadConfig } from '../../config/config.ts'
import { loadModel } from '../../signals/model/load-model.ts'
import { chooseModel, ownModelFile } from '../../signals/model/own/load-own-model.ts'
import { historyFolder } from '../../signals/samples/files/day-files.ts'
import type { Comparison, Gain } from '../../training/own/compare.ts'
import { historyText } from '../../training/own/history-text.ts'
import { learnOwn, objectionTo } from '../../training/own/learn-own.ts'
import { readOwnHistory } from '../../training/own/own-history.ts'
import { toOwnModel } from '../../training/own/own-model-file.ts'
import { writeWhole } from '../terminal/output-file.ts'
import { createProgress } from '../terminal/progress.ts'

/** `./tollbook train --own`: learns from what the service has recorded, and takes it over where it is better. */
export async function trainOwn({ dryRun }: { dryRun: boolean }): Promise<void> {
  const { dataDir } = loadConfig()
  const base = loadModel()
  const current = chooseModel(dataDir, base)
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  if (current.fault) say(current.fault)
  const reading = createProgress('reading')
  const history = await readOwnHistory(historyFolder(dataDir), reading.show).finally(reading.end)
  say(historyText(history))

  const steps = createSteps()
  const lesson = learnOwn({ history, base, current, onStep: steps.show })
  steps.end()
  if (typeof lesson === 'string') return say(`kept ${current.model.name}: ${lesson}`)
  say(comparisonText(lesson.comparison))
  const objection = objectionTo(lesson.comparison)
  if (objection) return say(`kept ${current.model.name}: ${objection}`)
  const model = toOwnModel(base, lesson, history.sha256)
  if (dryRun) return say(`kept ${current.model.name}: --dry-run; ${model.name} would be adopted`)
  await writeWhole(ownModelFile(dataDir), (write) => write(`${JSON.stringify(model, null, 1)}\n`))
  say(`adopted ${model.name}: restart the service to use it; delete ${ownModelFile(dataDir)} to go back`)
}

/** Log loss in thousandths: the differences are small. */
function comparisonText({ overall, byOffset }: Comparison): string {
  const milli = (value: number) => (value * 1000).toFixed(3)
  const line = (name: string, { count, days, logLoss, gain, interval }: Gain) =>
    `${name.padEnd(6)} ${count} predictions, ${days} days: log loss ${milli(logLoss)}, ` +
    `${milli(gain)} less than the current model [${interval.map(milli).join(', ')}]`
  return [
    'log loss in thousandths on windows that neither model has seen, with the 95 % interval over whole days:',
    ...byOffset.map((gain) => line(`${gain.offsetS} s`, gain)),
    line('all', overall),
  ].join('\n')
}

/** One progress line after the other. */
function createSteps() {
  let label = ''
  let progress: ReturnType<typeof createProgress> | undefined
  return {
    show(next: string, done: number, all: number) {
      if (next !== label) {
        progress?.end()
        progress = createProgress(next)
        label = next
      }
      progress?.show(done, all)
    },
    end: () => progress?.end(),
  }
}
