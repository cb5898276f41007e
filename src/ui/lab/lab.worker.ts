/** Entry of the worker in which batches run: steps of twins, verdicts, tables and the store, away from the page. */
import { expose } from 'comlink';
import { LabService } from './service';

expose(new LabService());
