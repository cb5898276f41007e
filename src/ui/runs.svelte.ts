/** The list of recorded runs. */
export interface RunEntry {
  id: string;
  title: string;
  createdAt: string;
  steps: number;
}
