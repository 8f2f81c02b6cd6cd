import { ServiceError } from '../core/service-error.ts'

export const keyIsThere = (id: string) =>
  new ServiceError('conflict', `there is a key ${id}, or one with the same digest, already`, {
    hint: 'make another key',
  })
