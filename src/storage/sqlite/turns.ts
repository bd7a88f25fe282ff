/** Turns on the one connection: statements overlap; a transaction has it alone, others queue. */
export interface Turns {
  /** Calls `work` when its turn has come: at once, unless there is a transaction. */
  pass<T>(work: () => Promise<T>): Promise<T>;
  /** As `pass`, and nobody else's turn comes until `leave` is called. */
  take<T>(work: () => Promise<T>): Promise<T>;
  leave(): void;
}

/** @param patience milliseconds after which who still waits is told `tired` */
export function createTurns(patience: number, tired: () => Error): Turns {
  const line: Waiting[] = [];
  let taken = false;

  return {
    pass: (work) => queue(false, work),
    take: (work) => queue(true, work),
    leave() {
      taken = false;
      advance();
    },
  };

  function queue<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
    if (!taken && line.length === 0) {
      taken = alone;
      return work();
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        alone,
        // In order and without gaps: a late statement would land in the next one's transaction.
        go() {
          clearTimeout(timer);
          work().then(resolve, reject);
        },
      };
      const timer = setTimeout(() => {
        line.splice(line.indexOf(waiting), 1);
        reject(tired());
        advance();
      }, patience);
      line.push(waiting);
    });
  }

  function advance(): void {
    while (!taken) {
      const next = line.shift();
      if (next === undefined) return;
      taken = next.alone;
      next.go();
    }
  }
}

interface Waiting {
  readonly alone: boolean;
  readonly go: () => void;
}
