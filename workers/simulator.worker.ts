/** Entry of the simulator workers. One worker runs one model; to unload it, terminate the worker. */
import { expose } from 'comlink';
import { SimulatorService } from './service';

expose(new SimulatorService());
