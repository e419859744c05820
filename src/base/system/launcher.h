/* launcher.h - what the environment says of a launcher that starts one program many times: mpirun,
 * mpiexec, srun.
 *
 *     OMPI_COMM_WORLD_SIZE     Open MPI
 *     PMI_SIZE                 MPICH, Intel MPI, and Slurm with PMI-1 and PMI-2
 *     SLURM_STEP_NUM_TASKS     srun; not set in a batch script itself
 *     PMIX_RANK                PMIx, where nothing says how many there are
 */
#ifndef ATTN_BASE_LAUNCHER_H
#define ATTN_BASE_LAUNCHER_H

/* launcher_processes - how many processes were started together, at least as far as this one
 * knows; 0: no launcher. */
int launcher_processes(void);

#endif
