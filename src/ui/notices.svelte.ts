/** Messages to the person at the page. One text is shown once, however often it comes. */
import { sentence } from './text';

export interface Notice {
  id: number;
  kind: 'info' | 'warn' | 'error';
  text: string;
}

export class Notices {
  list = $state.raw<readonly Notice[]>([]);
  #next = 1;

  add(kind: Notice['kind'], text: string): void {
    if (this.list.some((notice) => notice.text === text)) return;
    this.list = [...this.list, { id: this.#next++, kind, text }];
  }

  close(notice: Notice): void {
    this.list = this.list.filter((candidate) => candidate !== notice);
  }

  /** Does something that may fail, and says so where people see it. */
  async tell(work: () => Promise<void> | void): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.add('error', sentence(error));
    }
  }
}
