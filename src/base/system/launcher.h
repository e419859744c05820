/* launcher.h - what the environment says of a launcher that starts one program many times: mpirun,
 * mpiexec, srun.
 *
 *     OMPI_COMM_WORLD_SIZE, _RANK      Open MPI
 *     PMI_SIZE, PMI_RANK               MPICH, Intel MPI, and Slurm with PMI-1 and PMI-2
 *     SLURM_STEP_NUM_TASKS, SLURM_PROCID       srun; a batch script itself has only the second
 *     PMIX_RANK                        PMIx, where nothing says how many there are
 */
#ifndef ATTN_BASE_LAUNCHER_H
#define ATTN_BASE_LAUNCHER_H

/* launcher_processes - how many processes were started together, at least as far as this one
 * knows; 0: no launcher.
 * launcher_rank - the number of this one, from 0. */
int launcher_processes(void);
int launcher_rank(void);

#endif
