import type { Config } from '../config/config.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import { historyFolder } from '../signals/samples/files/day-files.ts'
import { createRecorder, type Recorder, type RecorderHealth } from '../signals/samples/recorder.ts'
import type { SeenWindows } from '../signals/samples/take-sample.ts'
import type { OpenMarket } from './market.ts'

/** What the market looked like each minute, kept in files for `./tollbook train --own`. */
export type OpenHistory = {
  /** `recorder` is undefined where nothing is kept. */
  health(): { modelName: string; recorder: RecorderHealth | undefined }
  /** From now on it is kept. Samples are taken before, because a model that has learnt from them needs them. */
  start(): void
  stop(): Promise<void>
}

type Ports = {
  config: Pick<Config, 'dataDir' | 'historyDays'>
  clock: Clock
  log: Log
  open: Pick<OpenMarket, 'market' | 'samples' | 'modelName'>
  /** The markets of the prediction venue. */
  fiveMinute: SeenWindows
}

export function openHistory({ config, clock, log, open, fiveMinute }: Ports): OpenHistory {
  const { market, samples, modelName } = open
  samples.follow(fiveMinute)
  const folder = historyFolder(config.dataDir)
  const days = config.historyDays
  let recorder: Recorder | undefined
  return {
    health: () => ({ modelName, recorder: recorder?.health() }),
    start() {
      if (days > 0) recorder ??= createRecorder({ clock, log, market, samples, folder, days })
    },
    stop: async () => recorder?.stop(),
  }
}
