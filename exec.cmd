@rem `npm start` says `exec node …`, so that signals reach the service and not a shell. Windows' shell has no exec.
@%*
